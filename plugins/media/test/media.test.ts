import { describeImageStore } from './suites/image-store';
import { describeServing } from './suites/serving';
import { describeStoredFiles } from './suites/stored-files';
import { describeUpload } from './suites/upload';
import { useMediaHost } from './support/media-host';

const media = useMediaHost();

describe.each([
  ['upload', describeUpload],
  ['serving', describeServing],
  ['stored files', describeStoredFiles],
  ['image store', describeImageStore],
])('%s', (_name, describeSuite) => {
  beforeAll(() => media.empty());
  describeSuite(media);
});
