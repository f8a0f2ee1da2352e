import { definePlugin, GantryError } from '@gantry/plugin-api';
import { Review } from './review.js';

export { Review };

export default definePlugin({
  id: 'reviews',
  itemTypes: [Review],
  register({ router, database }) {
    router.route('GET', '/reviews/of/:productId', async ({ params }) => {
      const productId = Number(params.productId);
      if (!Number.isSafeInteger(productId)) throw new GantryError('BAD_REQUEST', `Not the id of a product: ${params.productId}`);
      const [summary] = await database.query(
        'SELECT count(*)::int AS reviews, avg(stars)::float AS stars FROM reviews_review WHERE product_id = $1',
        [productId],
      );
      return { data: summary };
    });
  },
});
