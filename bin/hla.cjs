#!/usr/bin/env node
// the exit status is set by main
require('../dist/hla.cjs').main(process.argv)
