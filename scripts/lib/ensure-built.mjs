import { runNode } from './run.mjs';

/** Compiles what changed since the last build (project references, incremental). */
export async function ensureBuilt() {
  const code = await runNode('node_modules/typescript/bin/tsc', ['--build']);
  if (code !== 0) throw new Error(`The build failed (tsc, exit code ${code}); the messages above say where.`);
}
