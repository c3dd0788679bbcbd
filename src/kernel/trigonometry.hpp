// SPDX-License-Identifier: Apache-2.0
//
// Sine, cosine and the arc functions that the pose error needs, for any number of lanes.
#pragma once

#include "lanes.hpp"

namespace ik {

constexpr double kPi = 3.14159265358979323846;
constexpr double kTwoPi = 2.0 * kPi;

constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer

// The nearest whole number, halves to even, of numbers up to 2^51; infinity stays what it is.
// Without SSE4.1 the library's own is a call.
inline double rounded(double x) { return x + kRound - kRound; }
inline double rounded_down(double x) { return rounded(x) - (rounded(x) > x ? 1.0 : 0.0); }
inline double rounded_up(double x) { return -rounded_down(-x); }

template <class V>
inline V negate_if_bit_1(V x, BitsOf<V> word) {
  return real<V>(bits(x) ^ ((word & 2) << 62));
}

template <class V>
inline V choose_if_bit_0(BitsOf<V> word, V yes, V no) {
  const BitsOf<V> odd = -(word & 1);
  return real<V>((bits(yes) & odd) | (bits(no) & ~odd));
}

// Sine and cosine to 1 ulp, for angles up to 1.6 million.
// Reduction to |r| <= pi/4 by a three-part pi/2 (Cody and Waite; the parts are those of fdlibm's
// e_rem_pio2.c, 33 bits each, so that multiples of them are exact), then the polynomials of
// Cephes (S. Moshier, sin.c).
template <class V>
inline void sine_cosine(V angle, V& sine, V& cosine) {
  const V shifted = angle * (2.0 / kPi) + kRound;
  const BitsOf<V> quarter_turns = bits(shifted);  // its low bits are that integer's
  const V n = shifted - kRound;
  const V r = ((angle - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) -
              n * 2.02226624879595063154e-21;
  const V r2 = r * r;

  V s = 1.58962301576546568060e-10 * r2 - 2.50507477628578072866e-8;
  s = s * r2 + 2.75573136213857245213e-6;
  s = s * r2 - 1.98412698295895385996e-4;
  s = s * r2 + 8.33333333332211858878e-3;
  s = s * r2 - 1.66666666666666307295e-1;
  s = s * r2 * r + r;

  V c = -1.13585365213876817300e-11 * r2 + 2.08757008419747316778e-9;
  c = c * r2 - 2.75573141792967388112e-7;
  c = c * r2 + 2.48015872888517045348e-5;
  c = c * r2 - 1.38888888888730564116e-3;
  c = c * r2 + 4.16666666666665929218e-2;
  c = c * r2 * r2 - 0.5 * r2 + 1.0;

  sine = negate_if_bit_1(choose_if_bit_0(quarter_turns, c, s), quarter_turns);
  cosine = negate_if_bit_1(choose_if_bit_0(quarter_turns, s, c), quarter_turns + 1);
}

// angle / sin(angle / 2) for w = cos(angle / 2) in [0, 1], to 1e-11.
// It is 2 acos(w) / sqrt(1 - w^2) = sum of 2 k!/(2k+1)!! (1 - w)^k; the coefficients are those of
// its Chebyshev interpolant with 14 nodes. Unlike the arc cosine it is smooth where w is 1, so it
// turns the vector part of a unit quaternion into a rotation vector without a special case.
template <class V>
inline V angle_per_half_sine(V w) {
  constexpr double kCoefficients[] = {
      0.004160465113386049, -0.020572331362593965, 0.0487570283907557,   -0.06732428464024681,
      0.06326733457644179,  -0.03648444054549467,  0.021730751279603857, 0.00568412705355689,
      0.024078896687116214, 0.050666769634397806,  0.11429538010734132,  0.2666662847010315,
      0.6666666725800784,   1.9999999999848959};
  // Even and odd powers apart: two short chains of operations instead of a long one.
  const V x = 1.0 - w, x2 = x * x;
  V odd = x2 * kCoefficients[0] + kCoefficients[2];
  V even = x2 * kCoefficients[1] + kCoefficients[3];
#pragma GCC unroll 8
  for (int k = 4; k < 14; k += 2) {
    odd = odd * x2 + kCoefficients[k];
    even = even * x2 + kCoefficients[k + 1];
  }
  return odd * x + even;
}

}  // namespace ik
