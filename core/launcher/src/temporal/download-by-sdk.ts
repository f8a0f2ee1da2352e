import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * A separate program, so that the download can be ended at any time: `node download-by-sdk.js <folder> <version>` leaves
 * the command line of Temporal in the folder. The SDK offers no download without a start, so the server is started and
 * stopped once, which also proves that it runs here.
 */
async function download(downloadDir: string, version: string): Promise<void> {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version: `v${version}` } },
  });
  await environment.teardown();
}

const [folder = '', version = ''] = process.argv.slice(2);
download(folder, version).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
