import type { AuditEvent } from '@gantry/host';
import { isExposed } from '@gantry/host/config';
import { settingsOf, type CommandContext } from '../../context/command-context';
import { runningAddress } from '../../context/running-platform';
import { byCommand, withIdentity } from '../../context/with-identity';
import { UsageError } from '../../common/usage-error';
import { withRemedy } from '../../common/with-remedy';
import { counted, table } from '../../terminal/table';

/** Programs that need an API token once sign-in is on. */
const clients: readonly (readonly [string, string])[] = [
  ['/metrics', 'Prometheus: set authorization.credentials in its scrape configuration'],
  ['/readyz', 'answers with the status only; the parts need a token'],
  ['/place-order, /payment, /consignments/…', 'the shop and the carrier: create a service account for each'],
  ['/api/cms/…', 'programs that read or write items: create a service account for each'],
  ['/workflows, /orders', 'programs that read or control workflows'],
];

/** `gantry auth check`: the mode, and what stops working without a token when sign-in is switched on. */
export async function checkAuth(context: CommandContext): Promise<number> {
  const isRequired = await withIdentity(
    context,
    { purpose: 'gantry auth check', afterInterruption: 'Nothing was changed.' },
    (identity) => Promise.resolve(identity.isSignInRequired()),
  );
  const { terminal } = context;
  if (context.json) {
    terminal.printJson({ mode: isRequired ? 'sign-in' : 'open', needToken: clients.map(([path]) => path) });
    return 0;
  }
  terminal.print(
    isRequired
      ? 'Sign-in is required.'
      : 'The platform is open on this machine. Switch sign-in on with: gantry users create <email> --role administrator',
  );
  terminal.print(`${isRequired ? 'These' : 'Then these'} need an API token (gantry tokens create):`);
  terminal.print(table(['PATH', 'CLIENT'], clients));
  terminal.print('Commands on this machine use the token of the home; elsewhere they use GANTRY_TOKEN.');
  return 0;
}

/** `gantry auth disable --yes`: the platform is open again, on its own machine only. Users are kept. */
export async function disableAuth(context: CommandContext, yes: boolean): Promise<number> {
  if (!yes) {
    throw new UsageError('Without sign-in, everyone on this machine can use the platform. Add --yes to confirm.');
  }
  const settings = settingsOf(context);
  if (isExposed(settings)) {
    throw withRemedy(
      'Other machines reach the platform by GANTRY_HOST or GANTRY_PUBLIC_URL.',
      'Set GANTRY_HOST to 127.0.0.1 and remove GANTRY_PUBLIC_URL first.',
    );
  }
  if (runningAddress(context) !== undefined) {
    throw withRemedy('A platform runs on this home.', 'Stop it first, and every other platform on the same database.');
  }
  const wasOn = await withIdentity(
    context,
    { purpose: 'gantry auth disable', afterInterruption: 'Try again.' },
    (identity) =>
      identity.change(byCommand, async ({ switchOff, record }) => {
        const removed = await switchOff();
        if (removed) await record({ action: 'sign-in-switched-off', subject: 'platform' });
        return removed;
      }),
  );
  const sentence = wasOn ? 'The platform is open on this machine from its next start.' : 'Sign-in was not on.';
  if (context.json) context.terminal.printJson({ mode: 'open', wasOn });
  else context.terminal.print(sentence);
  return 0;
}

/** `gantry auth rotate-key`: exit code 1 when a stored secret cannot be decrypted. */
export async function rotateKey(context: CommandContext): Promise<number> {
  const rotation = await withIdentity(
    context,
    { purpose: 'gantry auth rotate-key', afterInterruption: 'Run the command again: no secret is lost.' },
    (identity) => identity.rotateKey(byCommand),
  );
  const { encrypted, unreadable } = rotation;
  if (context.json) context.terminal.printJson(rotation);
  else {
    context.terminal.print(`Encrypted ${counted(encrypted, 'secret')} with the newest key.`);
    if (unreadable > 0) {
      context.terminal.error(
        `${counted(unreadable, 'secret')} cannot be decrypted: the key is missing. Put the key into the file secret-key of the home, or after the first key in GANTRY_SECRET_KEY, and run the command again.`,
      );
    }
  }
  return unreadable === 0 ? 0 : 1;
}

/** `gantry auth log`: the latest events of the audit log. */
export async function showAuditLog(context: CommandContext, limit: number): Promise<number> {
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
    throw new UsageError('--limit must be a whole number from 1 to 1000.');
  }
  const events = await withIdentity(
    context,
    { purpose: 'gantry auth log', afterInterruption: 'Nothing was changed.' },
    ({ audit }) => audit.list({ limit }),
  );
  const { terminal } = context;
  if (context.json) terminal.printJson(events);
  else if (events.length === 0) terminal.print('The audit log is empty.');
  else terminal.print(table(['AT', 'ACTOR', 'ACTION', 'SUBJECT', 'ADDRESS', 'COUNT'], events.map(rowOf)));
  return 0;
}

function rowOf({ at, actor, action, subject, address, count }: AuditEvent): readonly string[] {
  return [at, actor, action, subject, address, String(count)];
}
