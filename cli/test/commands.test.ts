import { describeBackup } from './suites/backup';
import { describeChanges } from './suites/changes';
import { describeDatabase } from './suites/database';
import { describeItems } from './suites/items';
import { describeJsonErrors } from './suites/json-errors';
import { describeLosslessFiles } from './suites/lossless-files';
import { describeOidc } from './suites/oidc';
import { describeRunningPlatform } from './suites/running-platform';
import { describeUsage } from './suites/usage';
import { describeUsers } from './suites/users';
import { openCommands } from './support/commands';

// The suites share the process that runs their commands, and nothing else.
const commands = openCommands();
afterAll(() => commands.close());

describeUsage(commands);
describeJsonErrors(commands);
describeItems(commands);
describeLosslessFiles(commands);
describeDatabase(commands);
describeChanges(commands);
describeUsers(commands);
describeOidc(commands);
describeRunningPlatform(commands);
describeBackup(commands);
