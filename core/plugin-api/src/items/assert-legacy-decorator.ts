/**
 * Standard decorators get a context as their second argument, and no prototype to write metadata on.
 * @throws TypeError that names the setting of the compiler
 */
export function assertLegacyDecorator(decorator: string, second: unknown): void {
  if (typeof second !== 'object' || second === null || !('kind' in second)) return;
  const name = 'name' in second ? String(second.name) : 'the class';
  throw new TypeError(
    `${decorator} before ${name}: the compiler treated it as a standard decorator; set "experimentalDecorators": true in tsconfig.json`,
  );
}
