/**
 * To be required by a host process (NODE_OPTIONS). With the first SIGUSR2 it begins to count calls of functions; with each further one it
 * writes the files of which functions have run since to the file that GANTRY_TEST_RUN_FILES names, as a JSON array.
 */
const { writeFileSync, renameSync } = require('node:fs');
const { Session } = require('node:inspector');
const { fileURLToPath } = require('node:url');

const session = new Session();
let isCounting = false;

process.on('SIGUSR2', () => {
  if (!isCounting) {
    isCounting = true;
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    const hasRun = ({ functions }) =>
      functions.some(({ ranges: [{ startOffset, count }] }) => startOffset > 0 && count > 0);
    const files = result.filter((script) => script.url.startsWith('file:') && hasRun(script));
    const target = process.env.GANTRY_TEST_RUN_FILES;
    writeFileSync(`${target}.new`, JSON.stringify(files.map(({ url }) => fileURLToPath(url))));
    renameSync(`${target}.new`, target);
  });
});
