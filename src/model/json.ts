// What can be stored: journal lines, procedure inputs and surveyed facts are made of nothing else.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
