// A microtask of its own: what is evaluated here makes errors and requests, for each of which developer tools take a stack
// trace, and V8 then reads every function on the stack once more. The file's outermost ones are the whole file.
void import(/* webpackMode: "eager" */ './start.ts');
