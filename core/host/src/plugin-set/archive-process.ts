import { messageOf } from '@gantry/core-common';
import { parseStart } from '@gantry/core-supervisor/child';
import { PluginError } from '../plugins/plugin-error';
import { archiveStartSchema, type ArchiveAnswer } from './archive-messages';
import { uploadArchives } from './archives';
import { withSetClient } from './stored-set';

/** The process that packs packages and stores them in the database. It is ended by the one that started it. */
process.once('message', (start) => void answer(start));
process.once('disconnect', () => process.exit(0));

async function answer(start: unknown): Promise<void> {
  try {
    const { databaseUrl, home, packages } = parseStart(archiveStartSchema, start);
    await withSetClient(databaseUrl, (client) => uploadArchives(client, home, packages));
    send({ kind: 'archived' });
  } catch (error) {
    const message = messageOf(error);
    send({ kind: 'not-archived', message, ...(error instanceof PluginError ? { remedy: error.remedy } : {}) });
  }
}

function send(message: ArchiveAnswer): void {
  if (process.connected) process.send?.(message);
}
