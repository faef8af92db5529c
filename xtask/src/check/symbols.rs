pub(super) fn check() -> crate::Outcome {
    Ok(())
}
