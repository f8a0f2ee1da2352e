import { DataType } from 'sequelize-typescript';
import { itemActions, type Grant, type ItemChange, type ItemCondition } from '@gantry/contracts';
import { eventually } from '../../../../../test/support/eventually';
import { createOpenPolicy, type Policy, createRolePolicy, userScope } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from './serve-items';

const Tag = declareType('Tag', { name: { required: true, searchable: true } }, { unique: [['name']] });
const Note = declareType(
  'Note',
  {
    code: { required: true, searchable: true, editableOnUpdate: false },
    title: { required: true, searchable: true },
    secret: { type: 'TEXT', searchable: true },
    price: { type: 'NUMBER', searchable: true, column: DataType.DECIMAL(10, 2) },
    tag: { type: 'REFERENCE', targetEntity: () => Tag, searchable: true },
    tags: { type: 'REFERENCE', targetEntity: () => Tag, cardinality: 'MULTIPLE' },
  },
  { unique: [['code']] },
);

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  readonly etag: string | null;
}

export interface ServedNotes {
  readonly content: OpenTypes;
  declarePolicy(name: string, where: readonly ItemCondition[] | undefined, fields?: readonly string[]): void;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** @returns the id of the item */
  create(type: string, values: object): Promise<number>;
  nextCode(): string;
  history(id: number, policy?: string): Promise<readonly ItemChange[]>;
  /** Waits until there are so many: transactions in other databases of the server hold the feed back as well. */
  changesAfter(start: string, count: number, policy?: string): Promise<readonly ItemChange[]>;
}

/** Types with references on a database of the test file, served over HTTP; the header `x-policy` names the policy of a request. */
export function useServedNotes(): ServedNotes {
  let content: OpenTypes;
  let served: ServedItems;
  const policies = new Map<string, Policy>();

  beforeAll(async () => {
    content = await openTypes([Tag, Note]);
    const open = createOpenPolicy(content.types);
    policies.set('open', open);
    served = await serveItems(content, (request) => {
      const name = String(request.headers['x-policy'] ?? 'open');
      return userScope(policies.get(name) ?? open, name === 'open' ? '7' : '8', requestIdOf(request));
    });
  });

  afterAll(() => served.close());

  function declarePolicy(name: string, where: readonly ItemCondition[] | undefined, fields?: readonly string[]): void {
    const grants: readonly Grant[] = [
      {
        on: { plugin: 'workshop', type: 'note' },
        actions: [...itemActions],
        ...(where === undefined ? {} : { where }),
        ...(fields === undefined ? {} : { readableFields: fields }),
      },
    ];
    policies.set(name, createRolePolicy(content.types, grants, { id: '8', login: 'ben@example.org' }));
  }

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${served.address}/api/cms/${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      json: text === '' ? undefined : JSON.parse(text),
      etag: response.headers.get('etag'),
    };
  }

  async function create(type: string, values: object): Promise<number> {
    const { status, json } = await call('POST', `items/${type}`, values);
    expect([status, json.error]).toEqual([201, undefined]);
    return json.data.id;
  }

  let count = 0;
  const nextCode = (): string => `N-${(count += 1)}`;

  async function history(id: number, policy = 'open'): Promise<readonly ItemChange[]> {
    const { status, json } = await call('GET', `items/note/${id}/history`, undefined, { 'x-policy': policy });
    expect([status, json.error]).toEqual([200, undefined]);
    return json.data;
  }

  async function changesAfter(start: string, count: number, policy = 'open'): Promise<readonly ItemChange[]> {
    let data: readonly ItemChange[] = [];
    await eventually(async () => {
      const { json } = await call('GET', `changes?after=${start}&types=note`, undefined, { 'x-policy': policy });
      data = json.data;
      return data.length >= count;
    });
    return data;
  }

  return {
    get content() {
      return content;
    },
    declarePolicy,
    call,
    create,
    nextCode,
    history,
    changesAfter,
  };
}
