import {
  platform,
  settingTable,
  type ColumnSpec,
  type ForeignKeySpec,
  type IndexSpec,
  type PluginSchema,
  type TableSpec,
} from '@gantry/core-database';
import { identityEvents } from './table-events';

const id: ColumnSpec = { name: 'id', type: 'BIGINT', nullable: false, identity: true };
const userId: ColumnSpec = { name: 'user_id', type: 'BIGINT', nullable: false };
const tokenHash = text('token_hash');
const createdAt = time('created_at', 'now()');
const expiresAt = time('expires_at');

/** Who may sign in, and with what. Of secrets, only hashes are stored. */
export const identitySchema: PluginSchema = {
  id: platform,
  events: identityEvents,
  migrations: [],
  tables: [
    table(
      'gantry_user',
      [
        id,
        text('login'),
        text('display_name'),
        text('kind'),
        { name: 'roles', type: 'text[]', nullable: false },
        { ...text('password_hash'), nullable: true },
        { name: 'is_enabled', type: 'boolean', nullable: false, default: 'true' },
        createdAt,
        time('updated_at', 'now()'),
      ],
      ['login'],
    ),
    table(
      'gantry_role',
      [
        id,
        text('name'),
        text('display_name'),
        text('description'),
        { name: 'grants', type: 'JSONB', nullable: false },
        { name: 'permissions', type: 'text[]', nullable: false },
        createdAt,
        time('updated_at', 'now()'),
      ],
      ['name'],
    ),
    knownTypeTable(),
    ofUser('gantry_session', [
      ...[tokenHash, text('address'), text('user_agent'), time('last_seen_at', 'now()')],
      // When the person last proved to be present.
      { ...time('presence_at'), nullable: true },
    ]),
    ofUser('gantry_api_token', [
      tokenHash,
      text('public_id'),
      text('name'),
      { ...time('last_used_at'), nullable: true },
      { name: 'roles', type: 'text[]', nullable: true },
      { name: 'manages_accounts', type: 'boolean', nullable: false, default: 'false' },
    ]),
    ofUser('gantry_one_time_link', [tokenHash]),
    ofUser('gantry_known_device', [tokenHash]),
    {
      ...table(
        'gantry_totp',
        [
          id,
          userId,
          text('encrypted_secret'),
          { name: 'is_confirmed', type: 'boolean', nullable: false, default: 'false' },
          { name: 'last_step', type: 'BIGINT', nullable: false, default: '0' },
          // Filled by earlier versions only; see moveEarlierCodes.
          { name: 'recovery_hashes', type: 'text[]', nullable: false },
          createdAt,
        ],
        ['user_id'],
      ),
      foreignKeys: [userKey('gantry_totp')],
    },
    ofOwner('gantry_recovery_code', [text('code_hash')]),
    ofOwner(
      'gantry_passkey',
      [
        text('credential_id'),
        text('public_key'),
        { name: 'sign_count', type: 'BIGINT', nullable: false },
        { name: 'transports', type: 'text[]', nullable: false },
        text('rp_id'),
        text('name'),
        { ...time('last_used_at'), nullable: true },
      ],
      ['credential_id'],
    ),
    ofUser('gantry_passkey_challenge', [tokenHash, text('purpose')]),
    externalIdentityTable(),
    table('gantry_provider_request', [id, tokenHash, text('encrypted_content'), createdAt, expiresAt], ['token_hash']),
    settingTable,
    {
      ...table('gantry_audit_event', [
        id,
        time('at', 'now()'),
        text('actor'),
        text('action'),
        text('subject'),
        text('address'),
        { name: 'count', type: 'INTEGER', nullable: false, default: '1' },
        { name: 'detail', type: 'JSONB', nullable: false },
      ]),
      indexes: [index('gantry_audit_event', 'at')],
    },
  ],
};

/** Fields that item types have had, so that a grant on a removed field does not come back with another field of its name. */
function knownTypeTable(): TableSpec {
  const name = 'gantry_known_type';
  return {
    ...table(name, [
      id,
      text('plugin'),
      text('type'),
      { name: 'fields', type: 'text[]', nullable: false },
      { name: 'removed_fields', type: 'text[]', nullable: false },
      { name: 'is_removed', type: 'boolean', nullable: false, default: 'false' },
      // Names of fields with the time from which on they are there again; an empty name for the type itself.
      { name: 'returned', type: 'JSONB', nullable: false },
    ]),
    indexes: [{ name: `${name}_plugin_type_key`, columns: ['plugin', 'type'], unique: true, method: 'btree' }],
  };
}

/** By which an identity provider names a person. */
function externalIdentityTable(): TableSpec {
  const name = 'gantry_external_identity';
  const unique = `${name}_issuer_subject_key`;
  return {
    ...table(name, [id, userId, text('issuer'), text('subject'), createdAt]),
    indexes: [{ name: unique, columns: ['issuer', 'subject'], unique: true, method: 'btree' }, index(name, 'user_id')],
    foreignKeys: [userKey(name)],
  };
}

/** A table of rows that belong to a user, go with the user, expire, and are found by the hash of a secret. */
function ofUser(name: string, columns: readonly ColumnSpec[]): TableSpec {
  return ofOwner(name, [...columns, expiresAt], ['token_hash']);
}

/** A table of rows that belong to a user and go with the user. */
function ofOwner(name: string, columns: readonly ColumnSpec[], uniqueColumns: readonly string[] = []): TableSpec {
  const unique = table(name, [id, userId, ...columns, createdAt], uniqueColumns);
  return {
    ...unique,
    indexes: [...unique.indexes, index(name, 'user_id')],
    foreignKeys: [userKey(name)],
  };
}

function userKey(name: string): ForeignKeySpec {
  return { name: `${name}_user_id_fkey`, column: 'user_id', referencedTable: 'gantry_user', onDelete: 'CASCADE' };
}

function table(name: string, columns: readonly ColumnSpec[], unique: readonly string[] = []): TableSpec {
  const indexes = unique.map((column) => index(name, column, true));
  return { plugin: platform, name, columns, primaryKey: ['id'], indexes, foreignKeys: [] };
}

function index(name: string, column: string, unique = false): IndexSpec {
  return { name: `${name}_${column}_${unique ? 'key' : 'idx'}`, columns: [column], unique, method: 'btree' };
}

function text(name: string): ColumnSpec {
  return { name, type: 'text', nullable: false };
}

function time(name: string, byDefault?: string): ColumnSpec {
  return { name, type: 'TIMESTAMPTZ(3)', nullable: false, ...(byDefault === undefined ? {} : { default: byDefault }) };
}
