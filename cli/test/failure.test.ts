import { Declined, describeFailure, Interrupted } from '../src/common/failure';
import type { failureCodes } from '../src/common/failure-codes';
import { noAnswer } from '../src/common/no-answer';
import { UsageError } from '../src/common/usage-error';
import { withRemedy } from '../src/common/with-remedy';

const named = (name: string, parts: object = {}): Error => Object.assign(new Error('It is wrong'), { name, ...parts });

const samples: Readonly<Record<keyof typeof failureCodes, readonly [error: unknown, exitCode: number]>> = {
  USAGE: [new UsageError('It is wrong'), 2],
  INTERRUPTED: [new Interrupted('Interrupted.'), 130],
  NOT_CONFIRMED: [new Declined('Nothing was done.'), 1],
  NO_ANSWER: [noAnswer('http://127.0.0.1:1', { error: new TypeError('fetch failed'), isChange: true }), 1],
  PLATFORM_NOT_USABLE: [named('LauncherError', { remedy: 'Start it.' }), 1],
  TRANSFER_FAILED: [named('TransferError', { remedy: 'Correct it.' }), 1],
  FILE_NOT_USABLE: [named('Error', { code: 'EACCES', path: '/x', errno: -13 }), 1],
  OUTPUT_LOST: [withRemedy('The output is lost.', 'Write it elsewhere.', undefined, 'OUTPUT_LOST'), 1],
  CONFIG_INVALID: [named('ConfigError'), 1],
  FAILED: [withRemedy('It is wrong.', 'Correct it.', named('Error', { code: 'ENOENT' })), 1],
  INTERNAL: [named('TypeError', { code: 'ERR_INVALID_ARG_TYPE' }), 1],
};

function reported(error: unknown, isVerbose = false): Readonly<Record<string, unknown>> {
  const { json } = describeFailure(error, isVerbose);
  expect(json).not.toContain('\n');
  return (JSON.parse(json) as { readonly error: Readonly<Record<string, unknown>> }).error;
}

describe('an error for programs', () => {
  it.each(Object.entries(samples))('has the code %s', (code, [error, exitCode]) => {
    expect(reported(error)).toMatchObject({ code, message: expect.stringMatching(/\.$/), exitCode });
    expect(describeFailure(error, false).exitCode).toBe(exitCode);
  });

  it('has the code of an error of the host, and its details', () => {
    const details = [{ path: 'code', code: 'REQUIRED', message: 'code is required' }];

    expect(reported(named('GantryError', { code: 'VALIDATION_FAILED', details }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details,
    });
    expect(reported(named('PluginError', { code: 'PLUGIN_UNKNOWN', remedy: 'List them.' }))).toMatchObject({
      code: 'PLUGIN_UNKNOWN',
      remedy: 'List them.',
    });
  });

  it('has the code of the answer that is its cause, and what a program needs of it', () => {
    const deletion = { effects: [], confirm: 'all' };
    const answer = { code: 'CONFIRMATION_REQUIRED', message: 'It is wrong.', deletion, requestId: 'r-1' };

    expect(reported(withRemedy('It is wrong.', 'Confirm it.', answer))).toEqual({
      ...answer,
      remedy: 'Confirm it.',
      exitCode: 1,
    });
  });

  it('is a thrown text, too', () => {
    expect(reported('It is wrong')).toMatchObject({ code: 'INTERNAL', message: 'It is wrong.' });
  });

  it('has its stack and those of its causes if requested', () => {
    const error = new Error('outer', { cause: new Error('inner') });

    expect(reported(error)['stack']).toBeUndefined();
    expect(reported(error, true)['stack']).toMatch(/outer[^]*Caused by: Error: inner/);
  });
});
