const { routesWith } = require('@gantry/core-http');
const { z } = require('zod');

const route = routesWith();
const path = '/api/platform/announcements';
const title = z.string().trim().min(1).max(120);
const text = z.string().trim().min(1).max(2000);

const announcement = z
  .object({ id: z.string(), title, text, writtenAt: z.iso.datetime(), until: z.iso.datetime().nullable() })
  .meta({ id: 'Announcement' });

const columns = 'id, title, body AS text, written_at AS "writtenAt", until';

exports.routes = [
  route({
    method: 'GET',
    path,
    operationId: 'listAnnouncements',
    summary: 'Announcements that are not over',
    access: 'signed-in',
    answer: z.array(announcement).describe('The latest first.'),
    handler: async (_call, { database }) => ({
      data: await database.query(
        `SELECT ${columns} FROM gantry_announcement WHERE until IS NULL OR until > now() ORDER BY id DESC LIMIT 100`,
      ),
    }),
  }),
  route({
    method: 'POST',
    path,
    operationId: 'writeAnnouncement',
    summary: 'Write an announcement',
    description: 'The home page shows it until it is over.',
    access: { permission: 'announcements.write' },
    // The history of announcements: who wrote which, when and from where.
    audit: 'announcement-written',
    body: z.strictObject({
      title,
      text,
      until: z.iso.datetime().optional().describe('When it is over, such as 2030-01-31T18:00:00Z.'),
    }),
    answer: announcement,
    status: 201,
    handler: async ({ body, author, audit }, { accounts }) => ({
      data: await accounts.change(author, async ({ transaction, record }) => {
        const [row] = await transaction.query(
          `INSERT INTO gantry_announcement (title, body, until) VALUES ($1, $2, $3) RETURNING ${columns}`,
          [body.title, body.text, body.until ?? null],
        );
        await audit({ subject: `announcement:${row.id}`, detail: { title: row.title } }, record);
        return row;
      }),
    }),
  }),
];
