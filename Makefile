# make                      the engine for the machine it is built on, as ./tandem
# make EXE=name             the same under another name (OpenBench)
# make EXE=name EVALFILE=F  the same with the network F built in
# make POLICYFILE=F         the same with the policy network F built in
# make test                 installs what the tests need (as root or with sudo) and runs them all

EXE ?= tandem
CARGO ?= cargo
EVALFILE ?=
POLICYFILE ?=

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
else
    SUFFIX :=
endif

.PHONY: build test clean

build:
	RUSTFLAGS="-C target-cpu=native" TANDEM_EVALFILE="$(abspath $(EVALFILE))" \
		TANDEM_POLICYFILE="$(abspath $(POLICYFILE))" \
		$(CARGO) build --release --target-dir target/native
	cp target/native/release/tandem$(SUFFIX) $(EXE)$(if $(filter %.exe,$(EXE)),,$(SUFFIX))

test:
	scripts/test-setup
	scripts/test

clean:
	$(CARGO) clean
	rm -f tandem tandem.exe
