"""Tiny stand-ins for the catalogue's models, made on the spot: two layers, a few words, random weights."""

from pathlib import Path

from backlink_audit.embedding.catalogue import Model

WORDS = "query instruct retrieve semantically similar text : running shoes trail wet tax law for the a in of".split()


def save_stand_in(model: Model, folder: Path) -> Path:
    """Write a folder that looks like the model's: its pooling and dimensions, but hardly any weights."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Pooling, Transformer

    bare = model.name == "LinkBERT-large"
    size = model.dimensions if bare else 16
    save_bert(folder, size)
    if not bare:
        words = Transformer(str(folder))
        modules = [words, Pooling(size, pooling_mode=model.pooling), Dense(size, model.dimensions)]
        SentenceTransformer(modules=modules, device="cpu").save(str(folder), create_model_card=False)
    return folder


def save_bert(folder: Path, size: int) -> None:
    """Write a BERT of two layers with its tokenizer, as a bare encoder is published."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=size,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=512,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)


def expected_vectors(model: Model, folder: Path, texts: list[str]):
    """Compute the unit vectors by hand: prompt, encoder, pooling, dense layer, length 1; one text at a time."""
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    bert = AutoModel.from_pretrained(folder, add_pooling_layer=False).eval()
    rows = []
    for text in texts:
        with torch.inference_mode():
            states = bert(**tokenizer(model.prompt + text, return_tensors="pt")).last_hidden_state[0]
            row = {"mean": states.mean(dim=0), "cls": states[0], "lasttoken": states[-1]}[model.pooling]
            for dense in folder.glob("2_Dense/model.safetensors"):
                layer = load_file(dense)
                row = torch.tanh(layer["linear.weight"] @ row + layer["linear.bias"])
            rows.append(row / row.norm())
    return torch.stack(rows).numpy()
