import type { CompiledItemType } from '../../src/compile/descriptor';
import { enterHooks } from '../../src/compile/link-models';

/** A model of Sequelize, as far as its hooks are called. */
function modelWithHook(hook: string, calls: string[]) {
  return {
    hasHook: (type: string) => type === hook,
    runHooks: async (type: string) => void calls.push(`hooks ${type}`),
  };
}

describe('hooks of a model', () => {
  it('run as code of the plugin that has them', async () => {
    const calls: string[] = [];
    const model = modelWithHook('beforeCreate', calls);
    enterHooks({ model } as unknown as CompiledItemType, (code) => {
      calls.push('enter');
      return code();
    });

    await model.runHooks('beforeValidate');
    await model.runHooks('beforeCreate');

    expect(calls).toEqual(['hooks beforeValidate', 'enter', 'hooks beforeCreate']);
  });
});
