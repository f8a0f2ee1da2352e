import type { GrantCondition } from '@gantry/contracts';
import { z } from 'zod';
import { roleName } from './role-name';
import { conditionMeaning, grantShape, itemCondition, maxConditions, roleInput } from './role-input';

const conditions = (): z.ZodType<readonly GrantCondition[]> => z.array(grantCondition).min(1).max(maxConditions);

const grantCondition: z.ZodType<GrantCondition> = z
  .union([
    itemCondition.extend({ operator: itemCondition.shape.operator.unwrap() }),
    z.strictObject({
      get any() {
        return conditions();
      },
    }),
    z.strictObject({
      get all() {
        return conditions();
      },
    }),
  ])
  .meta({ id: 'GrantCondition', description: conditionMeaning });

/** A grant as it is shown to those who cannot read all that it is about. */
export const shownGrant = z
  .object({
    ...grantShape,
    where: z.array(grantCondition).exactOptional(),
    hidesConditions: z
      .literal(true)
      .exactOptional()
      .describe('Some conditions are left out: they name fields or values that the caller cannot read.'),
  })
  .meta({ id: 'ShownGrant', description: 'Actions on items that a role allows.' });

const { description, permissions } = roleInput.shape;

/** The rights of a user with the role. */
export const role = z
  .object({
    name: roleName,
    displayName: z.string(),
    description: description.unwrap(),
    grants: z.array(shownGrant),
    permissions: permissions.unwrap(),
    isBuiltIn: z.boolean(),
  })
  .meta({ id: 'Role', description: 'A role.' });
