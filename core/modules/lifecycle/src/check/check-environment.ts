import type { Manifest } from '@gantry/core-loader';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the system that programs need and that hold no secrets. */
const systemNames: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TMP', 'TEMP'],
  ...['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'NODE_ICU_DATA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  // Windows.
  ...['SYSTEMROOT', 'WINDIR', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PATHEXT', 'COMSPEC'],
]);

/** They give access to all data of the platform. Neither a manifest nor an id makes them settings of a plugin. */
const platformSecrets: readonly RegExp[] = [
  /^(DATABASE_URL|PG[A-Z]+)$/,
  /^GANTRY_(SECRET_KEY|TOKEN)$/,
  /^TEMPORAL_(API_KEY|TLS_|GRPC_META_|CODEC_)/,
];

/** The environment of the process of a check: code that is not trusted yet gets no secrets of the platform. */
export function systemEnvironment(environment: Environment): Environment {
  return pick(environment, (name) => systemNames.has(name.toUpperCase()) || name.startsWith('LC_'));
}

/** The prefix of the names of a plugin's own settings: `COURSES_` for `courses`. */
export function settingPrefix(id: string): string {
  return `${id.toUpperCase().replaceAll('-', '_')}_`;
}

/** The settings of a plugin: those that its manifest names, and those with its prefix; never a secret of the platform. */
export function settingsOf({ id, settings = [] }: Manifest, environment: Environment): Environment {
  const prefix = settingPrefix(id);
  const isOwn = (name: string): boolean => settings.includes(name) || name.startsWith(prefix);
  return pick(environment, (name) => isOwn(name) && !platformSecrets.some((secret) => secret.test(name)));
}

/** The variables that are set and wanted. */
export function pick(environment: Environment, isWanted: (name: string) => boolean): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && isWanted(name) ? [[name, value] as const] : [],
    ),
  );
}
