#!/usr/bin/env node
require("../dist/index.js").run();
