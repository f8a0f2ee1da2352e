import type { Transporter } from 'nodemailer';
import type { EmailConfig } from './config';
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
