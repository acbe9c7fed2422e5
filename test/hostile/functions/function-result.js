export default async () => function result() {};
