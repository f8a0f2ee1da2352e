#!/usr/bin/env node
// The file of the command, not the module of its package: it checks the version of Node.js first.
const { dirname, join } = require('node:path');

require(join(dirname(require.resolve('@gantry/cli/package.json')), 'bin/gantry.js'));
