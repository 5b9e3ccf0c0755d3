/** Texts that chat formats mark turns and roles with: tokens of these texts are control tokens whatever the file says. */
const turns: readonly string[] = ["<|start|>", "<|message|>", "<|channel|>", "<|constrain|>"];

/** Texts of tokens that end a turn or a text. */
export const endTexts: readonly string[] = [
  "<|eot_id|>",
  "<|eom_id|>",
  "<|im_end|>",
  "<|end|>",
  "<|return|>",
  "<|call|>",
  "<|flush|>",
  "<|calls|>",
  "<end_of_turn>",
  "<|endoftext|>",
  "</s>",
  "<EOT>",
  "_<EOT>",
  "[EOT]",
  "[EOS]",
  "<|end_of_text|>",
  "<end_of_utterance>",
  "<eos>",
  "<｜end▁of▁sentence｜>",
  "[e~[",
];

/** Texts of tokens that separate files or fill up, which end a text too. */
export const fillTexts: readonly string[] = [
  "<|fim_pad|>",
  "<fim-pad>",
  "<fim_pad>",
  "<PAD>",
  "[PAD]",
  "<|fim_repo|>",
  "<|repo_name|>",
  "<fim-repo>",
  "<REPO>",
  "<reponame>",
  "<|file_sep|>",
];

/** Texts of tokens that tell what comes before, after and between. */
const fillInTexts: readonly string[] = [
  "<|fim_prefix|>",
  "<fim-prefix>",
  "<fim_prefix>",
  "<｜fim▁begin｜>",
  "<PRE>",
  "▁<PRE>",
  "<|code_prefix|>",
  "<|prefix|>",
  "<|fim_suffix|>",
  "<fim-suffix>",
  "<fim_suffix>",
  "<｜fim▁hole｜>",
  "<SUF>",
  "▁<SUF>",
  "<|code_suffix|>",
  "<|suffix|>",
  "<|fim_middle|>",
  "<fim-middle>",
  "<fim_middle>",
  "<｜fim▁end｜>",
  "<MID>",
  "▁<MID>",
  "<|code_middle|>",
  "<|middle|>",
];

/** Texts of tokens that are control tokens whatever kind the file states. */
export const controlTexts: readonly string[] = [...turns, ...endTexts, ...fillTexts, ...fillInTexts];
