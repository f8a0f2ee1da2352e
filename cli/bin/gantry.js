#!/usr/bin/env node
// Checked here, because older versions cannot parse the rest. From 20.0 on, `gantry doctor` reports it.
if (Number(process.versions.node.split('.')[0]) < 20) {
  process.stderr.write(
    `gantry: Node.js 20.19 or newer is needed; this is ${process.versions.node}.\n  Install a newer one (https://nodejs.org) and try again.\n`,
  );
  process.exitCode = 1;
} else {
  void require('../dist/index.js').run();
}
