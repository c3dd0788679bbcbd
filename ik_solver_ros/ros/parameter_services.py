# SPDX-License-Identifier: Apache-2.0
"""The services that set parameters, with an answer to every request.

rclpy's own leave a request without an answer when a value is of a type that does not exist or does
not hold its content: the exception goes to the executor, and the caller waits forever.
"""

from __future__ import annotations

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.parameter_service import ParameterService

from ..core.errors import listed, plain

_LONGEST_REASON = 600  # characters; rclpy quotes names of any length


class AnsweringParameterService(ParameterService):
    """rclpy's parameter services; what they cannot read is refused in a sentence."""

    def _set_parameters_callback(
        self, request: SetParameters.Request, response: SetParameters.Response
    ) -> SetParameters.Response:
        for parameter in request.parameters:
            alone = SetParametersAtomically.Request(parameters=[parameter])
            answer = SetParametersAtomically.Response()
            self._set_parameters_atomically_callback(alone, answer)
            response.results.append(answer.result)
        return response

    def _set_parameters_atomically_callback(
        self, request: SetParametersAtomically.Request, response: SetParametersAtomically.Response
    ) -> SetParametersAtomically.Response:
        try:
            super()._set_parameters_atomically_callback(request, response)
        except Exception as error:  # noqa: BLE001  # an exception here would leave no answer
            names = listed([parameter.name for parameter in request.parameters], most=3)
            reason = f"{names} cannot be set: {error}"
            response.result = SetParametersResult(successful=False, reason=reason)
        response.result.reason = plain(response.result.reason, _LONGEST_REASON)
        return response
