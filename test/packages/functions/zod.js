import { z } from 'zod';

const Order = z.object({
  id: z.string().regex(/^A-\d+$/),
  items: z.array(z.object({ sku: z.string(), count: z.coerce.number().int().positive() })).min(1),
  email: z.email(),
  when: z.iso.datetime().optional(),
});
export default () => [
  Order.parse({ id: 'A-17', items: [{ sku: 'x', count: '3' }], email: 'ann@example.com' }),
  Order.safeParse({ id: 'B', items: [], email: 'no' }).error.issues.map(({ path, code, message }) => ({
    path,
    code,
    message,
  })),
  z.toJSONSchema(Order),
];
