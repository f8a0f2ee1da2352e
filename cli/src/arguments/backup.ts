import { command } from './command';
import { flag } from './options';

const commands = () => import('../commands/backup.js');

/** `gantry backup` */
export const backupCommand = command({
  command: 'backup <folder>',
  describe: 'Write tables, workflows, images and the plugin set to a new folder; the platform may run',
  builder: (parser) =>
    parser.positional('folder', {
      type: 'string',
      demandOption: true,
      describe: 'folder that does not exist yet, outside of GANTRY_HOME',
    }),
  run: async (context, { folder }) => (await commands()).backup(context, folder),
});

/** `gantry restore` */
export const restoreCommand = command({
  command: 'restore <backup>',
  describe: 'Restore a backup into an empty GANTRY_HOME, on hold until "gantry resume"',
  builder: (parser) =>
    parser
      .positional('backup', { type: 'string', demandOption: true, describe: 'folder that "gantry backup" wrote' })
      .option('replace', flag('move aside what is in GANTRY_HOME'))
      .option('yes', flag('do not ask before --replace')),
  run: async (context, { backup, replace, yes }) => (await commands()).restore(context, backup, { replace, yes }),
});

/** `gantry verify` */
export const verifyCommand = command({
  command: 'verify <backup>',
  describe: 'Read all of a backup and compare it with its checksums',
  builder: (parser) =>
    parser
      .positional('backup', { type: 'string', demandOption: true, describe: 'folder that "gantry backup" wrote' })
      .option('deep', flag('also restore it into a temporary folder')),
  run: async (context, { backup, deep }) => (await commands()).verify(context, backup, deep),
});

/** `gantry resume` */
export const resumeCommand = command({
  command: 'resume',
  describe: 'End the hold of a restored platform: workers run and mail is sent again',
  run: async (context) => (await commands()).resume(context),
});
