/**
 * What authors import as `convo-fn`: the types of the six kinds of function (types/index.d.ts). There is nothing to run: a function
 * receives all it needs as `sdk`.
 */
export {};
