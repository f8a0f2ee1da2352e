import { join } from 'node:path';

type KeepGlobals = () => () => void;

it('a limit that a file sets for its tests ends with the file', async () => {
  const { keepGlobals } = (await import(join(__dirname, 'kept-globals.cjs'))) as { keepGlobals: KeepGlobals };
  const undo = keepGlobals();
  jest.setTimeout(1_234);
  expect(Reflect.get(globalThis, Symbol.for('TEST_TIMEOUT_SYMBOL'))).toBe(1_234);

  undo();

  expect(Symbol.for('TEST_TIMEOUT_SYMBOL') in globalThis).toBe(false);
});
