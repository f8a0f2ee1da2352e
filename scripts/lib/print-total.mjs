/**
 * Adds up the tallies of the parts named as arguments and prints what failed and, as the last line, `N passed, N failed`;
 * exits with 1 when any failed.
 */
import { readTally } from './tally.mjs';

const tallies = process.argv.slice(2).map(readTally);
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
for (const failure of tallies.flatMap(({ failures }) => failures)) console.log(`--- failed: ${failure}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
