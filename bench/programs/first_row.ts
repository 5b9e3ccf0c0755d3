// A program that does nothing but look one row up: first_row.ts FILE
import { Model } from "../../mod.ts";

using model = await Model.open(Deno.args[0]!);
console.log(model.embed([42])[0]);
