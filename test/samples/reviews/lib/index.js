import { definePlugin, GantryError, route } from '@gantry/plugin-api';
import { Review } from './review.js';

export { Review };

/** A schema without a library: of an answer, its description is all that is needed. */
const stars = {
  '~standard': {
    version: 1,
    vendor: 'reviews',
    validate: (value) => ({ value }),
    jsonSchema: {
      input: () => ({
        type: 'object',
        required: ['reviews', 'stars'],
        properties: { reviews: { type: 'integer' }, stars: { type: ['number', 'null'] } },
      }),
    },
  },
};

export default definePlugin({
  id: 'reviews',
  itemTypes: [Review],
  register({ router, database }) {
    router.add(
      route({
        method: 'GET',
        path: '/reviews/of/:productId',
        operationId: 'readStars',
        summary: 'How many reviews a product has, and their stars',
        access: 'signed-in',
        answer: stars,
        async handler({ params }) {
          const productId = Number(params.productId);
          if (!Number.isSafeInteger(productId)) throw new GantryError('BAD_REQUEST', `Not the id of a product: ${params.productId}`);
          const [data] = await database.query(
            'SELECT count(*)::int AS reviews, avg(stars)::float AS stars FROM reviews_review WHERE product_id = $1',
            [productId],
          );
          return { data };
        },
      }),
    );
  },
});
