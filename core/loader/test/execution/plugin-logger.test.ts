import { labelled } from '../../src/execution/plugin-services';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';

describe('the logger of a plugin', () => {
  it('puts its id into every line, with fields and with a message alone', () => {
    const logger = createRecordedLogger();
    const own = labelled(logger, 'boats') as unknown as { info(...line: unknown[]): void };
    own.info({ length: 3 }, 'afloat');
    own.info('afloat');

    expect(logger.lines).toEqual([
      { level: 'info', fields: { plugin: 'boats', length: 3 }, message: 'afloat' },
      { level: 'info', fields: { plugin: 'boats' }, message: 'afloat' },
    ]);
  });
});
