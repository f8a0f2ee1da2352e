import { parseMediaConfig } from '../src/config';
import { usualTypes } from '../src/stored-files/file-types';

describe('the settings of the images', () => {
  it('are sound when nothing is set', () => {
    expect(parseMediaConfig({})).toEqual({
      maxBytes: 20_971_520,
      maxPixels: 50_000_000,
      maxFileBytes: 52_428_800,
      fileTypes: usualTypes,
    });
    const environment = { GANTRY_MEDIA_FILE_TYPES: 'application/pdf, audio/*' };
    expect(parseMediaConfig(environment).fileTypes).toEqual(['application/pdf', 'audio/*']);
  });

  it('name a bucket, with its service and its keys', () => {
    const environment = {
      GANTRY_MEDIA_S3_BUCKET: 'pictures',
      GANTRY_MEDIA_S3_ENDPOINT: 'http://127.0.0.1:9000',
      GANTRY_MEDIA_S3_REGION: 'eu-central-1',
      GANTRY_MEDIA_S3_PREFIX: 'gantry/',
      GANTRY_MEDIA_S3_ACCESS_KEY_ID: 'key',
      GANTRY_MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
    };
    expect(parseMediaConfig(environment).bucket).toEqual({
      bucket: 'pictures',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-central-1',
      prefix: 'gantry/',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
    expect(parseMediaConfig({ GANTRY_MEDIA_S3_BUCKET: 'pictures' }).bucket).toEqual({
      bucket: 'pictures',
      region: 'us-east-1',
      prefix: '',
    });
  });

  it.each([
    [{ GANTRY_MEDIA_MAX_BYTES: '20 MB' }, /^GANTRY_MEDIA_MAX_BYTES .* 1 to 1073741824/],
    [{ GANTRY_MEDIA_MAX_BYTES: '0' }, 'GANTRY_MEDIA_MAX_BYTES'],
    [{ GANTRY_MEDIA_MAX_PIXELS: '1e9' }, 'GANTRY_MEDIA_MAX_PIXELS'],
    [{ GANTRY_MEDIA_FILE_TYPES: 'pdf, zip' }, 'GANTRY_MEDIA_FILE_TYPES'],
    [{ GANTRY_MEDIA_FILE_MAX_BYTES: '-1' }, 'GANTRY_MEDIA_FILE_MAX_BYTES'],
    [{ GANTRY_MEDIA_S3_BUCKET: 'b', GANTRY_MEDIA_S3_ENDPOINT: 'storage:9000' }, 'GANTRY_MEDIA_S3_ENDPOINT'],
    [{ GANTRY_MEDIA_S3_BUCKET: 'b', GANTRY_MEDIA_S3_PREFIX: '/a' }, 'GANTRY_MEDIA_S3_PREFIX'],
    [
      { GANTRY_MEDIA_S3_BUCKET: 'b', GANTRY_MEDIA_S3_ACCESS_KEY_ID: 'key' },
      /GANTRY_MEDIA_S3_ACCESS_KEY_ID .* GANTRY_MEDIA_S3_SECRET_ACCESS_KEY/,
    ],
  ])('that are wrong are named: %j', (environment, message) => {
    expect(() => parseMediaConfig(environment)).toThrow(message);
  });

  it('do not show a password that is in an address', () => {
    const environment = { GANTRY_MEDIA_S3_BUCKET: 'b', GANTRY_MEDIA_S3_ENDPOINT: 'http://me:secret@127.0.0.1' };
    expect(() => parseMediaConfig(environment)).toThrow(expect.not.stringContaining('secret'));
  });
});
