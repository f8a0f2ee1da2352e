/** What a check looks at where there is no problem; the documentation is made from it. A problem has its part and its code as rule. */
export const checkRules = {
  'package/location': 'Name and version of the package, and its folder',
  'package/size': 'Number and size of the files, with what is in its node_modules',
  'package/install-scripts': 'Scripts that npm would run when it installs the package; the platform never runs them',
  'package/native-code': 'Compiled code, which fits one system and can end the process',
  'manifest/valid': 'The member `gantry` of package.json',
  'manifest/system-scope': 'Why its routes may use all items (`gantry.systemScope`)',
  'manifest/network': 'Hosts that its code may reach while it is loaded (`gantry.network`)',
  'manifest/settings': 'Variables of the environment that its code gets because it names them (`gantry.settings`)',
  'dependencies/enabled': 'Plugins that it depends on',
  'names/free': 'Types, queues and routes that it contributes belong to no other plugin',
  'integrity/pin': 'Hash of the files to which enabling pins it',
  'integrity/changed': 'The files are not those that were enabled',
  'code/registered': 'It was loaded in a separate process, and registered what its manifest names',
  'code/note': 'What its author should know about the code',
  'code/network': 'Use of the network while it was loaded, which was refused',
  'code/deprecated': 'It uses deprecated parts of the plugin API, while it is loaded or in its tests (`--tests`)',
  'code/log-flood': 'It printed more lines while it was loaded than the platform writes',
  'code/settings': 'It needs settings that a check does not give it',
  'code/tests': 'The tests of the package passed (`--tests`)',
  'code/tests-missing': 'The package has no tests that could be run (`--tests`)',
  'schema/unknown': 'Why the database was not looked at',
  'schema/migrations': 'Migrations, which ran in a copy of the tables without their rows',
  'schema/not-tried': 'Why migrations and statements did not run in a copy of the tables',
  'schema/destructive': 'Statements that remove or change values of tables with rows',
  'schema/locking':
    'Statements that keep readers or writers waiting, with the lock and the time as the number of rows lets expect',
  'schema/no-way-back': 'Migrations after which earlier versions of the plugin are refused',
  'schema/renames': 'Tables and columns that would be renamed, as the declarations say with `renamedFrom`',
  'schema/difference': 'A table that differs from the declarations, and is not changed',
  'schema/additions': 'Statements that would add what it needs to the database',
  'workflows/unknown': 'Why open workflows were not replayed',
  'workflows/partial': 'Not all open workflows were replayed',
  'workflows/replayed': 'Open workflows can continue with its code',
} as const satisfies Record<string, string>;

/** One of {@link checkRules}. */
export type CheckRule = keyof typeof checkRules;
