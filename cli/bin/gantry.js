#!/usr/bin/env node
void require('../dist/index.js').run();
