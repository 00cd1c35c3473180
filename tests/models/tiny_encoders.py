"""Small random instances of real architectures, with a tokenizer made on the spot."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tokenizer(texts):
    import transformers

    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        texts, trainers.WordPieceTrainer(vocab_size=400, special_tokens=SPECIALS)
    )
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=512,
    )


def modernbert(folder: Path, texts) -> Path:
    """ModernBERT as published, but narrow and shallow: local and global attention both."""
    import torch
    import transformers

    words = tokenizer(texts)
    config = transformers.ModernBertConfig(
        vocab_size=len(words),
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=4,
        num_attention_heads=4,
        max_position_embeddings=512,
        local_attention=16,
        pad_token_id=0,
        bos_token_id=2,
        cls_token_id=2,
        eos_token_id=3,
        sep_token_id=3,
    )
    return _saved(folder, words, lambda: transformers.ModernBertForMaskedLM(config), torch)


def bert(folder: Path, texts) -> Path:
    """BERT, with dropout and segments, which ModernBERT has not."""
    import torch
    import transformers

    words = tokenizer(texts)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=128,
    )
    return _saved(folder, words, lambda: transformers.BertModel(config), torch)


def _saved(folder, words, make, torch) -> Path:
    with torch.random.fork_rng():
        torch.manual_seed(7)
        make().save_pretrained(folder)
    words.save_pretrained(folder)
    return folder
