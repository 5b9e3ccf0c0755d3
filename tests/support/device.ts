import type { OpenOptions } from "../../mod.ts";

/** The device that tests open models on: the one that `MUSER_TEST_DEVICE` names, else the CPU. */
export const testDevice = (Deno.env.get("MUSER_TEST_DEVICE") ?? "cpu") as NonNullable<OpenOptions["device"]>;
