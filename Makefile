# SPDX-License-Identifier: Apache-2.0
#
# ROS_DISTRO=kilted   ROS 2 Kilted instead of Jazzy, where no ROS 2 is sourced
# PIN=3.8             the oldest supported Pinocchio, likewise
# PYTHON=python3.12   another Python than `python3`

SHELL := bash
.SHELLFLAGS := -eu -c
export PIN PYTHON

.PHONY: help run sim test build lint sanitize bench docs pictures abuse concurrency soak latency clean

help: ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/make \1\t\2/p' Makefile | expand -t 14

run: build ## start the node with the demo arm and call it once; URDF=… TIP=… for another robot
	@tools/within.sh ik_demo --viewer $(if $(URDF),--urdf '$(URDF)') $(if $(TIP),--tip '$(TIP)')

sim: ## physics in a closed loop with the node; ROBOT=panda, ROBOT=ur5, or URDF=… TIP=… for another robot
	@tools/build.sh sim $(if $(filter-out demo,$(ROBOT)),robots)
	@tools/within.sh ik_sim $(if $(ROBOT),--robot '$(ROBOT)') $(if $(URDF),--urdf '$(URDF)') $(if $(TIP),--tip '$(TIP)') $(ARGS)

test: ## every check and test; ARGS="-k name" for some tests only
	@tools/build.sh dev docs robots sim
	@tools/set_up_browser.sh
	@$(if $(ARGS),,tools/lint.sh)
	@tools/test.sh $(ARGS)

build: ## set up what is missing and build
	@tools/build.sh

lint: ## formatters, linters, type checker
	@tools/set_up.sh dev
	@tools/lint.sh

sanitize: ## the kernel's tests with AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/sanitize.sh $(ARGS)

bench: ## compare with other solvers; FULL=1 for the long run
	@tools/bench.sh $(if $(FULL),--full) $(ARGS)

docs: ## the documentation as a site, in site/
	@tools/build.sh docs
	@tools/docs.sh $(ARGS)

pictures: ## the pictures of README and documentation, each by its script
	@tools/build.sh dev robots sim
	@for script in docs/pictures/make_*.py; do tools/within.sh python3 "$$script" || exit 1; done

abuse: build ## 20000 messages of no sense to the node, for docs/reliability.md; ARGS="--seed 2"
	@tools/within.sh python3 reliability/run_abuse.py $(ARGS)

concurrency: build ## many clients at once while the robot is swapped, for docs/reliability.md
	@tools/within.sh python3 reliability/run_concurrency.py $(ARGS)

soak: build ## everything at once for MINUTES=10, for docs/reliability.md
	@tools/within.sh python3 reliability/run_soak.py $(if $(MINUTES),--minutes $(MINUTES)) $(ARGS)

latency: build ## round trips and streams beside an echo, for docs/reliability.md; on an idle machine
	@tools/within.sh python3 reliability/run_latency.py $(ARGS)

clean: ## forget every build and every venv that make has made
	rm -rf .colcon $(dir $(wildcard .venv*/.made-by-make))
