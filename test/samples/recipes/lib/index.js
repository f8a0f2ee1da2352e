"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Recipe = void 0;
const plugin_api_1 = require("@gantry/plugin-api");
const recipe_1 = require("./recipe");
Object.defineProperty(exports, "Recipe", { enumerable: true, get: function () { return recipe_1.Recipe; } });
/** A schema without a library: of an answer, its description is all that is needed. */
const quickest = {
    '~standard': {
        version: 1,
        vendor: 'recipes',
        validate: (value) => ({ value }),
        jsonSchema: {
            input: () => ({
                type: 'array',
                items: {
                    type: 'object',
                    required: ['name', 'minutes'],
                    properties: { name: { type: 'string' }, minutes: { type: 'integer' } },
                },
            }),
        },
    },
};
exports.default = (0, plugin_api_1.definePlugin)({
    id: 'recipes',
    itemTypes: [recipe_1.Recipe],
    config: (environment) => ({ quick: Number(environment.RECIPES_QUICK_MINUTES || 30) }),
    register({ router, database, config }) {
        router.add((0, plugin_api_1.route)({
            method: 'GET',
            path: '/recipes/quickest',
            operationId: 'listQuickest',
            summary: 'The recipes that take the least time',
            access: 'signed-in',
            answer: quickest,
            handler: async () => ({
                data: await database.query('SELECT name, minutes FROM recipes_recipe WHERE minutes <= $1 ORDER BY minutes, id LIMIT 10', [config.quick]),
            }),
        }));
    },
    async start({ logger, config }) {
        logger.info({ quick: config.quick }, 'recipes are ready');
    },
    async stop({ logger }) {
        logger.info({}, 'recipes have stopped');
    },
});
