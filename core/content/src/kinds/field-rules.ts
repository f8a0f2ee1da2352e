export type { FieldReference as ReferenceDescriptor, KindField as FieldRules } from '@gantry/plugin-api';
