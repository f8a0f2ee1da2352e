import { settingsOf } from '../../src/check/check-environment';
import type { Manifest } from '@gantry/core-loader';

const environment = {
  DATABASE_URL: 'postgres://gantry:secret@127.0.0.1/gantry',
  PGPASSWORD: 'secret',
  GANTRY_SECRET_KEY: 'secret',
  GANTRY_TOKEN: 'secret',
  GANTRY_MEDIA_MAX_BYTES: '1000',
  TEMPORAL_API_KEY: 'secret',
  TEMPORAL_TLS_CLIENT_KEY_DATA: 'secret',
  TEMPORAL_GRPC_META_AUTHORIZATION: 'secret',
  TEMPORAL_UI_ADDRESS: 'http://127.0.0.1:8233',
};

describe('the settings that a check gives to a plugin', () => {
  it.each(['database', 'temporal', 'gantry-secret'])('are no secrets of the platform for the id %s', (id) => {
    expect(Object.values(settingsOf(manifestOf(id), environment))).not.toContain('secret');
    expect(settingsOf(manifestOf(id), environment)).not.toHaveProperty('DATABASE_URL');
  });

  it('are no secrets of the platform where the manifest names them', () => {
    expect(settingsOf(manifestOf('wild', Object.keys(environment)), environment)).toEqual({
      GANTRY_MEDIA_MAX_BYTES: '1000',
      TEMPORAL_UI_ADDRESS: 'http://127.0.0.1:8233',
    });
  });
});

function manifestOf(id: string, settings?: readonly string[]): Manifest {
  return {
    ...{ id, displayName: id, packageName: id, version: '1.0.0', main: './index.js', pluginApiRange: '^1.0.0' },
    ...{ dependsOn: {}, optionalDependsOn: {}, required: false },
    contributes: { itemTypes: [], taskQueues: [], routes: [] },
    ...(settings === undefined ? {} : { settings }),
  };
}
