#!/usr/bin/env node
// Said here, because older ones cannot even read the rest. From 20.0 on, `gantry doctor` tells.
if (Number(process.versions.node.split('.')[0]) < 20) {
  process.stderr.write(
    `gantry: Node.js 20.19 or newer is needed; this is ${process.versions.node}.\n  Install a newer one (https://nodejs.org) and try again.\n`,
  );
  process.exitCode = 1;
} else {
  void require('../dist/index.js').run();
}
