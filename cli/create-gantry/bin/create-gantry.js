#!/usr/bin/env node
// Checked here, because older versions cannot parse the rest.
if (Number(process.versions.node.split('.')[0]) < 20) {
  process.stderr.write(
    `create-gantry: Node.js 20.19 or newer is needed; this is ${process.versions.node}.\n  Install a newer one (https://nodejs.org) and try again.\n`,
  );
  process.exitCode = 1;
} else {
  void require('../dist/run.js').run(process.argv.slice(2));
}
