import { GantryError } from '@gantry/plugin-api';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { createSequelize } from '@gantry/core-database/create-sequelize';
import { createLogger, loggedError } from '../../src/common/logger';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

afterAll(() => testDatabase.drop());

describe('an error in the log', () => {
  it('of a statement reports what failed, without the values that were sent', async () => {
    const sequelize = createSequelize(testDatabase.url);
    await sequelize.query('CREATE TABLE secret (name text UNIQUE)');
    const insert = () => sequelize.query('INSERT INTO secret VALUES ($1)', { bind: ['hidden'] });
    await insert();
    const error = await insert().catch((refusal: unknown) => refusal);
    await sequelize.close();

    const logged = loggedError(error);
    expect(logged).toMatchObject({ type: 'UniqueConstraintError', stack: expect.stringContaining('logger.test') });
    expect(JSON.stringify(logged)).not.toContain('hidden');
  });

  it('reports its code, its causes and its parts', () => {
    const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
    expect(loggedError(new Error('not reached', { cause }))).toMatchObject({
      message: 'not reached: connection refused',
      stack: expect.stringContaining('caused by'),
    });
    expect(loggedError(new AggregateError([cause], 'none'))).toMatchObject({
      type: 'AggregateError',
      parts: [{ message: 'connection refused', code: 'ECONNREFUSED' }],
    });
  });

  it('reports the details of a GantryError, under both names that it is logged by', () => {
    const details = [{ path: 'price', code: 'VALUE_INVALID', message: 'price must be a number' }];
    const error = new GantryError('VALIDATION_FAILED', 'price must be a number.', { details });
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => void lines.push(line) });

    logger.warn({ err: error }, 'by the host');
    logger.warn({ error }, 'by a worker of Temporal');

    const logged = { code: 'VALIDATION_FAILED', message: error.message, stack: error.stack, details };
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ err: logged }, { error: logged }]);
  });

  it('is shown as it is when it is none', () => expect(loggedError('thrown text')).toBe('thrown text'));
});
