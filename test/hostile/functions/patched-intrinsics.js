// A library that replaces everything; the honest result must still arrive.
export default async (sdk) => {
  const nothing = () => { throw new Error('patched'); };
  JSON.stringify = nothing; JSON.parse = nothing;
  Array.prototype[Symbol.iterator] = nothing; Array.prototype.map = nothing; Array.prototype.push = nothing; Array.isArray = nothing;
  String.prototype.slice = nothing; Map.prototype.get = nothing; Map.prototype.set = nothing; Map.prototype.delete = nothing;
  Reflect.apply = nothing; Function.prototype.call = nothing; Function.prototype.apply = nothing;
  Object.keys = nothing; Object.defineProperty = nothing; Reflect.ownKeys = nothing; Reflect.defineProperty = nothing;
  const answer = await sdk.call('echo', { a: 1 });
  return { found: [], answer: answer.input.a };
};
