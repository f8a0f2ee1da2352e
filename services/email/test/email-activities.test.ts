import type { EmailActivities } from '@gantry/contracts';
import emailService from '@gantry/service-email';
import { startMailServer, type MailServer } from '../../../test/services/support/mail-server';
import { openServices, useServices, type OpenServices } from '../../../test/services/support/open-services';

interface StoredNotification {
  readonly kind: string;
  readonly state: string;
  readonly recipient: string;
}

const kinds = [
  ['sendOrderPlacedNotification', 'ORDER_PLACED'],
  ['sendPaymentCompletedNotification', 'PAYMENT_COMPLETED'],
  ['sendOrderCancelledNotification', 'ORDER_CANCELLED'],
] as const;

const opened = useServices();

describe('the email activities without a mail server', () => {
  let services: OpenServices;
  let email: EmailActivities;
  beforeAll(() => {
    services = opened();
    email = services.activities('email');
  });

  test.each(kinds)('%s stores one notification, however often it is repeated', async (activity, kind) => {
    await Promise.all([1, 2, 3, 4].map(() => email[activity](activity)));
    await email[activity](activity);

    expect(await notifications(services, activity)).toEqual([
      { kind, state: 'STORED', recipient: 'customer@localhost' },
    ]);
  });
});

describe('the email activities with a mail server', () => {
  let server: MailServer;
  let services: OpenServices;
  let email: EmailActivities;
  beforeAll(async () => {
    server = await startMailServer();
    const environment = {
      SMTP_URL: server.url,
      ORDER_MAIL_TO: 'buyer@example.org',
      ORDER_MAIL_FROM: 'shop@example.org',
    };
    services = await openServices({ environment });
    email = services.activities('email');
  });
  afterAll(async () => {
    await services.close();
    await server.close();
  });

  test.each(kinds)('%s sends one message, however often it is repeated', async (activity, kind) => {
    const orderId = `once-${kind}`;
    await email[activity](orderId);
    await email[activity](orderId);

    expect(await notifications(services, orderId)).toEqual([{ kind, state: 'SENT', recipient: 'buyer@example.org' }]);
    const sent = messagesOf(server, orderId);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/^From: shop@example\.org\r$/m);
    expect(sent[0]).toMatch(/^To: buyer@example\.org\r$/m);
  });

  test('attempts that overlap send one message; the others fail and are retried', async () => {
    const attempts = [1, 2, 3, 4].map(() => email.sendOrderPlacedNotification('overlapping'));
    const outcomes = await Promise.allSettled(attempts);

    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    expect(messagesOf(server, 'overlapping')).toHaveLength(1);
    await email.sendOrderPlacedNotification('overlapping');
    expect(messagesOf(server, 'overlapping')).toHaveLength(1);
  });

  test('a message that the mail server refuses is kept and sent by the retry', async () => {
    server.answer('refuse');
    await expect(email.sendOrderPlacedNotification('refused')).rejects.toThrow(
      / 127\.0\.0\.1:\d+ \(SMTP_URL\) .*: .*try again later/,
    );
    expect(await notifications(services, 'refused')).toMatchObject([{ state: 'STORED' }]);

    server.answer('accept');
    await email.sendOrderPlacedNotification('refused');
    expect(await notifications(services, 'refused')).toMatchObject([{ state: 'SENT' }]);
    expect(messagesOf(server, 'refused')).toHaveLength(1);
  });

  test('an attempt that was cut off is sent again under the same Message-ID', async () => {
    await email.sendOrderPlacedNotification('cut.off.');
    await services.database.query(
      `UPDATE email_notification SET state = 'SENDING', updated_at = now() - interval '31 seconds' WHERE order_id = $1`,
      ['cut.off.'],
    );
    await email.sendOrderPlacedNotification('cut.off.');

    const ids = messagesOf(server, 'cut.off.').map((message) => /^Message-ID: <(.*)>\r$/im.exec(message)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids)).toEqual(new Set([`order_placed.${Buffer.from('cut.off.').toString('hex')}@gantry.orders`]));
  });

  test('an attempt that is under way is left alone', async () => {
    await email.sendOrderPlacedNotification('under-way');
    await services.database.query(
      `UPDATE email_notification SET state = 'SENDING', updated_at = now() WHERE order_id = $1`,
      ['under-way'],
    );

    await expect(email.sendOrderPlacedNotification('under-way')).rejects.toThrow(/Another attempt/);
  });
});

function messagesOf(server: MailServer, orderId: string): readonly string[] {
  const id = `.${Buffer.from(orderId).toString('hex')}@gantry.orders>`;
  return server.messages.filter((message) => message.includes(id));
}

describe('the address of the mail server', () => {
  test.each(['http://user:secret@host', 'not an address'])('%s is refused by name, without its value', (value) => {
    const config = () => emailService.config?.({ SMTP_URL: value });

    expect(config).toThrow(/SMTP_URL/);
    expect(config).not.toThrow(/secret/);
  });
});

function notifications(services: OpenServices, orderId: string): Promise<readonly StoredNotification[]> {
  return services.database.query<{ kind: string; state: string; recipient: string }>(
    'SELECT kind, state, recipient FROM email_notification WHERE order_id = $1 ORDER BY id',
    [orderId],
  );
}
