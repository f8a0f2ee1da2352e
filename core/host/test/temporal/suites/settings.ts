import { ConfigError } from '../../../src/config';
import { describeFailure } from '@gantry/core-lifecycle';
import { readTemporalSettings } from '../../../src/temporal/settings';

const address = { TEMPORAL_ADDRESS: '127.0.0.1:7233' };

export function describeSettings(): void {
  describe('the settings for Temporal', () => {
    it('are none without an address, whatever else is set', () => {
      expect(readTemporalSettings({ TEMPORAL_NAMESPACE: 'shop', TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere.pem' })).toBe(
        undefined,
      );
    });

    it('name the variable whose file cannot be read, which ends the start with a sentence', () => {
      const environment = { ...address, TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere.pem' };
      const error = thrownBy(() => readTemporalSettings(environment));

      expect(error).toBeInstanceOf(ConfigError);
      expect(describeFailure(error, environment)).toEqual({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(/^TEMPORAL_TLS_CLIENT_CERT_PATH .*: .*ENOENT.*'\/nowhere\.pem'\.$/) as string,
        remedy: expect.any(String) as string,
        isExpected: true,
      });
    });
  });
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
