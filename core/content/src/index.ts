export { shownAuthorFields, writtenFields } from './compile/author-fields';
export { CompileError, compileItemType } from './compile/compile-item-type';
export { compilePlugins } from './compile/compile-plugins';
export { declaredPatterns } from './compile/declared-patterns';
export { generatedBy, hidesItems, isLinked, isMadeByFunction, isNeverDone, isReadOnly } from './compile/descriptor';
export type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from './compile/descriptor';
export { createItemTypes, referringFields } from './compile/item-types';
export type { ItemTypes, Referrer } from './compile/item-types';
export { labelFieldsOf } from './compile/label-fields';
export { associateReferences, plainColumnsOf, prepareModel } from './compile/link-models';
export type { TypeSource } from './compile/resolve-target';
export { hasOrderIndex, maxImageAddressBytes, tablesOf } from './compile/tables';
export { linkModels, linkPlugins } from './link/link-plugins';
export type { LinkedModels, LinkedPlugins, LinkRegistry, WithDatabase } from './link/link-plugins';
export { mustBeGiven, sourcesOf } from './kinds/derivation';
export type { FieldKind, StoredValue } from './kinds/field-kind';
export type { StoredValues } from './kinds/field-kind';
export { createFieldTypes } from './kinds/field-type';
export type { FieldType, FieldTypes, ResolveTarget } from './kinds/field-type';
export { isOf } from './kinds/links';
export { numberKinds } from './kinds/number';
export { longKind } from './kinds/number/number-kinds';
export { pluginFieldType } from './kinds/plugin-field-type';
export { maximumReferences, readId } from './kinds/reference/reference-kinds';
export { shippedFieldTypes } from './kinds/registry';
export { comparableText } from './kinds/text-kind';
export { createCallingRequests } from './plugin-items/calling-requests';
export type { CallingRequest, CallingRequests } from './plugin-items/calling-requests';
export { createItemStore } from './plugin-items/create-item-store';
export type { ItemAccess } from './plugin-items/create-item-store';
export { createConditionTrial } from './policy/condition-trial';
export type { ConditionTrial } from './policy/condition-trial';
export { createOpenPolicy } from './policy/open-policy';
export type { Policy } from './policy/policy';
export { conditionsOfGrants, createRolePolicy, explainGrants, neededFields } from './policy/role-policy';
export { comparableField, dependsOnUser, isSignedIn, rowFilterOf } from './policy/row-filter';
export type { IsRefused, PolicyUser, RowFilter } from './policy/row-filter';
export { assertMay, mayDo, pluginScope, systemScope, typeInScope, userScope } from './policy/scope';
export type { Scope } from './policy/scope';
export { asBadValue } from './query/bad-value';
export { convertText } from './query/convert-text';
export {
  bindCriterion,
  equalityOf,
  fieldsByName,
  maxCriteria,
  maxValueLength,
  operatorOf,
  operatorsOf,
  parseCriteria,
  platformField,
} from './query/criteria';
export type { BoundCriterion, CriteriaOptions, ParsedCriteria } from './query/criteria';
export { defaultLimit, formatCursor, largestLimit, maxTotal, parseListQuery } from './query/list-query';
export type { ListQuery } from './query/list-query';
export { parseOption, refusedParameter } from './query/parameters';
export { maxSearchText, parseRequiredSearchText, parseSearchText, searchTextCriterion } from './query/search-text';
export { conditionsMet } from './read/conditions-met';
export { findItemsByValue } from './read/find-items-by-value';
export { createFunctionFailures } from './read/function-failures';
export type { FunctionFailures } from './read/function-failures';
export type { FunctionRun } from './read/function-values';
export { hasItems } from './read/has-items';
export { createImageRights } from './read/image-rights';
export type { ImageRights } from './read/image-rights';
export { createItemRepository } from './read/item-repository';
export type { ItemRepository, SearchReader } from './read/item-repository';
export { itemMetadata, modelInfo, searchFields } from './read/metadata';
export { recentItems } from './read/recent-items';
export { createSearchItems } from './read/search-items';
export type { SearchItems } from './read/search-items';
export { currentValuesStatement, findByFieldsStatement } from './sql/bulk-statements';
export { linkColumnOf } from './sql/find-referrers';
export type { FoundReferrers, ReferrersOptions } from './sql/find-referrers';
export { labelText } from './sql/row-json';
export { rowsOf } from './sql/rows';
export { conditionsOf, whereClause } from './sql/where';
export type { Conditions } from './sql/where';
export type { BulkChange, BulkOutcome, BulkTransaction } from './write/bulk/bulk-write';
export { createBulkWriter } from './write/bulk/bulk-writer';
export type { BulkWriter } from './write/bulk/bulk-writer';
export type { NewValues } from './write/values/free-values';
export { changedValues, lockedFields } from './write/values/item-changes';
export { createItemWriter } from './write/item-writer';
export type { ItemWriter } from './write/item-writer';
export { parseNewItem, parsePayload, unknownFields } from './write/values/payload';
export type { ParsedPayload } from './write/values/payload';
export { assertPrecondition } from './write/precondition';
export type { Precondition } from './write/precondition';
export { selfReferences } from './write/reference-check';
export { parseConfirmation } from './write/remove/confirmation';
export { ConfirmationRequired } from './write/remove/removal-problems';
export { fieldsToCheck, missingAfterChange } from './write/values/required-fields';
export type { TypeHooks, WriteHooks } from './write/rows/write-hooks';
export { parseLeniently, withoutUnchanged } from './write/values/unchanged-values';
export type { ItemWriterDependencies, WrittenRow } from './write/write-dependencies';
export { itemNotFound, validationFailed } from './write/write-problems';
export type { SearchText } from './query/search-text';
export type { Confirmation } from './write/remove/confirmation';
export { parsed, plainKind, refused, rowSchemaOf } from './kinds/field-kind';
export type { Parsed } from './kinds/field-kind';
export { plainFieldType } from './kinds/plain-column';
