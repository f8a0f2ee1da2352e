import { Button, Checkbox, TextInput, Title } from '@mantine/core';
import type { Grant, GrantTarget, ItemAction, ModelInfo } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { typesQuery } from '../../api/queries';
import { GrantFieldsDialog } from './grant-fields-dialog';
import { GrantItemsDialog } from './grant-items-dialog';
import { keyOf, withAction, withConditions, withFields } from './grants';

interface GrantMatrixProps {
  readonly grants: readonly Grant[];
  readonly isReadOnly: boolean;
  /** Those that the role can have. */
  readonly actions: readonly ItemAction[];
  onChange(grants: readonly Grant[]): void;
}

interface Line {
  readonly on: GrantTarget;
  readonly label: string;
  /** Targets that contain this one: what is allowed there is allowed here. */
  readonly within: readonly string[];
  readonly type?: ModelInfo;
  /** They are written by their plugin alone. */
  readonly isRecords: boolean;
}

const actionLabels: Readonly<Record<ItemAction, string>> = {
  read: 'Read',
  create: 'Create',
  update: 'Change',
  delete: 'Delete',
  import: 'Import',
  export: 'Export',
};

/** Item types by actions, from all content down to single types. */
export function GrantMatrix({ grants, isReadOnly, actions, onChange }: GrantMatrixProps) {
  const { data: types = [] } = useQuery(typesQuery);
  const [filter, setFilter] = useState('');
  const [opened, setOpened] = useState<{ readonly line: Line; readonly part: 'fields' | 'items' }>();
  const lines = linesOf(types, filter);
  const line = opened?.line;
  const openedGrant = line && grants.find(({ on }) => keyOf(on) === keyOf(line.on));
  return (
    <section aria-labelledby="role-grants">
      <Title order={2} size="h4" id="role-grants" mb="xs">
        Items
      </Title>
      <TextInput
        label="Filter the types"
        value={filter}
        maw={320}
        mb="sm"
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <div className="items" role="region" aria-label="Rights on items" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Type</th>
              {actions.map((action) => (
                <th scope="col" key={action}>
                  {actionLabels[action]}
                </th>
              ))}
              <th scope="col">Fields</th>
              <th scope="col">Items</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((shown) => (
              <GrantLine
                key={keyOf(shown.on)}
                line={shown}
                grants={grants}
                actions={actions}
                isReadOnly={isReadOnly}
                onToggle={(action, isGranted) => onChange(withAction(grants, shown.on, action, isGranted))}
                onOpen={(part) => setOpened({ line: shown, part })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {line?.type === undefined || openedGrant === undefined ? null : opened?.part === 'items' ? (
        <GrantItemsDialog
          type={line.type}
          where={openedGrant.where ?? []}
          onClose={() => setOpened(undefined)}
          onChange={(where) => onChange(withConditions(grants, line.on, where))}
        />
      ) : (
        <GrantFieldsDialog
          type={line.type}
          grant={openedGrant}
          onClose={() => setOpened(undefined)}
          onChange={(fields) => onChange(withFields(grants, line.on, fields))}
        />
      )}
    </section>
  );
}

interface GrantLineProps {
  readonly line: Line;
  readonly grants: readonly Grant[];
  readonly isReadOnly: boolean;
  readonly actions: readonly ItemAction[];
  onToggle(action: ItemAction, isGranted: boolean): void;
  onOpen(part: 'fields' | 'items'): void;
}

function GrantLine({ line, grants, isReadOnly, actions: offered, onToggle, onOpen }: GrantLineProps) {
  const own = grants.find(({ on }) => keyOf(on) === keyOf(line.on));
  const isAll = own?.readableFields === undefined && own?.writableFields === undefined;
  const texts = {
    fields: isAll ? 'All fields' : 'Some fields',
    items: own?.where === undefined ? 'All items' : 'Some items',
  };
  const isGranted = (action: ItemAction, targets: readonly string[]): boolean =>
    grants.some(({ on, actions }) => targets.includes(keyOf(on)) && actions.includes(action));
  const inherited = (action: ItemAction): boolean => isGranted(action, line.within);
  return (
    <tr>
      <th scope="row" className={line.type === undefined ? undefined : 'role-type'}>
        {line.label}
      </th>
      {offered.map((action) => (
        <td key={action}>
          {line.isRecords && action !== 'read' && action !== 'export' ? null : (
            <Checkbox
              aria-label={`${actionLabels[action]}: ${line.label}`}
              checked={isGranted(action, [...line.within, keyOf(line.on)])}
              disabled={isReadOnly || inherited(action)}
              onChange={(event) => onToggle(action, event.currentTarget.checked)}
            />
          )}
        </td>
      ))}
      {(['fields', 'items'] as const).map((part) => (
        <td key={part}>
          {line.type === undefined || own === undefined ? null : (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onOpen(part)}
              disabled={isReadOnly}
              aria-label={`${texts[part]} of ${line.label}`}
            >
              {texts[part]}
            </Button>
          )}
        </td>
      ))}
    </tr>
  );
}

/** All content, all records, then each plugin with its types. */
function linesOf(types: readonly ModelInfo[], filter: string): readonly Line[] {
  const wanted = filter.trim().toLocaleLowerCase();
  const shown = types.filter(({ displayNamePlural, type, pluginName }) =>
    `${displayNamePlural} ${type} ${pluginName}`.toLocaleLowerCase().includes(wanted),
  );
  const plugins = [...new Map(shown.map(({ plugin, pluginName }) => [plugin, pluginName]))].toSorted(
    ([, one], [, other]) => one.localeCompare(other),
  );
  const general: readonly Line[] = [
    { on: 'content', label: 'All content', within: [], isRecords: false },
    { on: 'records', label: 'All records of services', within: [], isRecords: true },
  ];
  return [
    ...general,
    ...plugins.flatMap(([plugin, label]): readonly Line[] => [
      {
        on: { plugin },
        label: `All of ${label}`,
        within: [],
        isRecords: types.every((type) => type.plugin !== plugin || type.readOnly),
      },
      ...shown
        .filter((type) => type.plugin === plugin)
        .toSorted((one, other) => one.displayNamePlural.localeCompare(other.displayNamePlural))
        .map((type): Line => ({
          on: { plugin, type: type.type },
          label: type.displayNamePlural,
          within: [type.readOnly ? 'records' : 'content', plugin],
          type,
          isRecords: type.readOnly,
        })),
    ]),
  ];
}
