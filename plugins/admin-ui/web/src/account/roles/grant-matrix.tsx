import { Button, TextInput, Title } from '@mantine/core';
import type { Grant, GrantTarget, ItemAction, ModelInfo } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { typesQuery } from '../../api/queries';
import { DataTable } from '../../ui/data-table';
import { TypeIcon } from '../../ui/icons';
import { Surface } from '../../ui/surface';
import { GrantFieldsDialog } from './grant-fields-dialog';
import { GrantItemsDialog } from './grant-items-dialog';
import { RightBox, RightsLegend, type Right } from './right-box';
import { keyOf, withAction, withConditions, withFields } from './grants';

interface GrantMatrixProps {
  readonly grants: readonly Grant[];
  readonly isReadOnly: boolean;
  /** Actions that the role can have. */
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
    <Surface label="Items" isFlush>
      <div className="panel-head rights-head">
        <Title order={2}>Items</Title>
        <TextInput
          aria-label="Filter the types"
          placeholder="Filter the types"
          size="xs"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <RightsLegend isReadOnly={isReadOnly} />
      <DataTable
        label="Rights on items"
        className="rights"
        rows={lines}
        rowKey={({ on }) => keyOf(on)}
        columns={[
          {
            title: 'Type',
            isRowHeader: true,
            cell: ({ type, label }) =>
              type === undefined ? (
                label
              ) : (
                <span className="role-type">
                  <TypeIcon path={type.icon} size={16} />
                  <span className="clipped">{label}</span>
                </span>
              ),
          },
          ...actions.map((action) => ({
            title: actionLabels[action],
            className: 'right-cell',
            cell: (shown: Line) =>
              shown.isRecords && action !== 'read' && action !== 'export' ? null : (
                <RightBox
                  name={`${actionLabels[action]}: ${shown.label}`}
                  right={rightOf(grants, action, shown)}
                  isOfSeveral={shown.type === undefined}
                  isReadOnly={isReadOnly}
                  onChange={(isGiven) => onChange(withAction(grants, shown.on, action, isGiven))}
                />
              ),
          })),
          ...(['fields', 'items'] as const).map((part) => ({
            title: part === 'fields' ? 'Fields' : 'Items',
            className: 'right-part',
            cell: (shown: Line) => (
              <PartButton
                line={shown}
                part={part}
                grants={grants}
                isReadOnly={isReadOnly}
                onOpen={() => setOpened({ line: shown, part })}
              />
            ),
          })),
        ]}
      />
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
    </Surface>
  );
}

function rightOf(grants: readonly Grant[], action: ItemAction, { on, within }: Line): Right {
  if (isGranted(grants, action, within)) return 'wider';
  const own = grants.find((grant) => keyOf(grant.on) === keyOf(on));
  if (own?.actions.includes(action) !== true) return 'none';
  return own.where === undefined ? 'all' : 'some';
}

function isGranted(grants: readonly Grant[], action: ItemAction, targets: readonly string[]): boolean {
  return grants.some(({ on, actions }) => targets.includes(keyOf(on)) && actions.includes(action));
}

interface PartButtonProps {
  readonly line: Line;
  readonly part: 'fields' | 'items';
  readonly grants: readonly Grant[];
  readonly isReadOnly: boolean;
  onOpen(): void;
}

/** Opens the fields or the items that a grant is limited to. */
function PartButton({ line, part, grants, isReadOnly, onOpen }: PartButtonProps) {
  const own = grants.find(({ on }) => keyOf(on) === keyOf(line.on));
  if (line.type === undefined || own === undefined) return null;
  const isAllFields = own.readableFields === undefined && own.writableFields === undefined;
  const isAll = part === 'fields' ? isAllFields : own.where === undefined;
  const text = `${isAll ? 'All' : 'Some'} ${part}`;
  return (
    <Button
      size="compact-xs"
      variant={isAll ? 'subtle' : 'light'}
      color={isAll ? 'gray' : undefined}
      onClick={onOpen}
      disabled={isReadOnly}
      aria-label={`${text} of ${line.label}`}
    >
      {isAll ? 'All' : 'Some'}
      <span className="only-narrow">&nbsp;{part}</span>
    </Button>
  );
}

/** The grants that contain all types of a plugin; empty for a plugin with types of both kinds. */
function widerThanPlugin(types: readonly ModelInfo[]): readonly string[] {
  if (types.every(({ readOnly }) => readOnly)) return ['records'];
  return types.some(({ readOnly }) => readOnly) ? [] : ['content'];
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
        within: widerThanPlugin(types.filter((type) => type.plugin === plugin)),
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
