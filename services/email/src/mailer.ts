import type { Transporter } from 'nodemailer';
import type { NotificationKind, NotificationText } from './notification-text';

/** Milliseconds; together they stay below the start-to-close time of an email activity. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** Sends a notification and resolves once the mail server has taken it. */
export type Mailer = (orderId: string, kind: NotificationKind, text: NotificationText) => Promise<void>;

/** @returns undefined when no mail server is configured */
export function createMailer({ smtpUrl, from, to }: EmailConfig): Mailer | undefined {
  if (smtpUrl === undefined) return undefined;
  let transport: Promise<Transporter> | undefined;
  const { host } = new URL(smtpUrl);
  return async (orderId, kind, { subject, body }) => {
    try {
      transport ??= openTransport(smtpUrl);
      await (await transport).sendMail({ from, to, subject, text: body, messageId: messageId(orderId, kind) });
    } catch (cause) {
      // Operators read it as what holds an order up; the URL itself may hold a password.
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The mail server ${host} (SMTP_URL) did not accept the message: ${reason}`, { cause });
    }
  };
}

/** The library is loaded with the first message, and not with every start. */
async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport(withTimeouts(smtpUrl));
}

/**
 * The same for every attempt at the same notification, so that a mail system can drop the second copy of a message whose
 * sending was cut off after the mail server had taken it. The order id is written in hexadecimal, because a dot at its
 * end would not be allowed there.
 */
function messageId(orderId: string, kind: NotificationKind): string {
  return `<${kind.toLowerCase()}.${Buffer.from(orderId).toString('hex')}@gantry.orders>`;
}

/** Settings of the URL win, so that a slow server can be given more. */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const [name, value] of Object.entries(timeouts)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** Settings of the email service. */
export interface EmailConfig {
  /** Mail server; absent: notifications stay in the stored outbox. */
  readonly smtpUrl?: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Reads `SMTP_URL`, `ORDER_MAIL_FROM` and `ORDER_MAIL_TO`. An order has no mail address (order specification,
 * section 2), so that all its notifications go to one.
 */
export function parseEmailConfig(environment: Readonly<Record<string, string | undefined>>): EmailConfig {
  const smtpUrl = environment['SMTP_URL'] || undefined;
  if (smtpUrl !== undefined) assertSmtpUrl(smtpUrl);
  return {
    ...(smtpUrl === undefined ? {} : { smtpUrl }),
    from: environment['ORDER_MAIL_FROM'] || 'orders@localhost',
    to: environment['ORDER_MAIL_TO'] || 'customer@localhost',
  };
}

/** The message leaves the value out, because it may hold a password. */
function assertSmtpUrl(value: string): void {
  const protocol = URL.canParse(value) ? new URL(value).protocol : undefined;
  if (protocol === 'smtp:' || protocol === 'smtps:') return;
  throw new Error('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465');
}
